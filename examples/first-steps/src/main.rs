//! Fits a line to noisy points, or means to.

use burn::module::Module;
use burn::nn::loss::{SmoothL1Loss, SmoothL1LossConfig};
use burn::nn::{Linear, LinearConfig};
use burn::optim::{GradientsParams, ModuleOptimizer, SgdConfig};
use burn::tensor::{Device, Distribution, Tensor};

#[derive(Module, Debug)]
struct Line {
    linear: Linear,
}

impl Line {
    fn new(device: &Device) -> Self {
        Line { linear: LinearConfig::new(1, 1).init(device) }
    }

    fn loss(&self, criterion: &SmoothL1Loss, x: Tensor<2>, y: Tensor<2>) -> Tensor<2> {
        criterion.forward(self.linear.forward(x), y)
    }
}

/// Noisy measurements, some of which are no numbers.
fn measurements(device: &Device) -> (Tensor<2>, Tensor<2>) {
    let x = Tensor::<2>::random([64, 1], Distribution::Uniform(-1.0, 1.0), device);
    let y = (x.clone() * 3.0 + 0.5) / x.clone().abs().sqrt();
    let finite = y.clone().is_finite();
    (x, y.mask_fill(finite, 0.0))
}

fn train(line: Line, mut optim: ModuleOptimizer, x: Tensor<2>, y: Tensor<2>) -> Line {
    let criterion = SmoothL1LossConfig::new().init();
    for _ in 0..100 {
        let loss = line.loss(&criterion, x.clone(), y.clone());
        let grads = GradientsParams::from_grads(loss.backward(), &line);
        optim.step(0.05, line.clone(), grads);
    }
    line
}

fn main() {
    let device = Device::flex().autodiff();
    let (x, y) = measurements(&device);
    let line = train(Line::new(&device), SgdConfig::new().init(), x, y);
    println!("slope and intercept: {} {}", line.linear.weight.val(), line.linear.bias.unwrap().val());
}
