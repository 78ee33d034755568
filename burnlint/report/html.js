"use strict";
(() => {
  const form = document.querySelector("form.filters");
  if (form) {
    const findings = [...document.querySelectorAll("article.finding")];
    const texts = findings.map((finding) => finding.textContent.toLowerCase());
    const update = () => {
      const severities = new Set([...form.querySelectorAll("[name=severity]:checked")].map((box) => box.value));
      const { symptom, topic, words, shown } = form.elements;
      const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      findings.forEach((finding, index) => {
        const { severity, symptom: itsSymptom, topic: itsTopic } = finding.dataset;
        const visible = severities.has(severity)
          && (!symptom.value || symptom.value === itsSymptom)
          && (!topic.value || topic.value === itsTopic)
          && wanted.every((word) => texts[index].includes(word));
        finding.hidden = !visible;
        count += visible ? 1 : 0;
      });
      shown.value = `${count} of ${findings.length} shown`;
    };
    form.addEventListener("input", update);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.hidden = false;
    update();
  }
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  window.addEventListener("hashchange", open);
  open();
})();
