// Tabs after the WAI-ARIA practices: arrows move and choose, one tab stop. Panels are hidden here and nowhere else.
export function startTabs(list, { inAddress = false, onSelect = () => {} } = {}) {
  const tabs = [...list.querySelectorAll("[role=tab]")];
  const panelOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
  const nameOf = (tab) => tab.id.slice("tab-".length);

  function select(name, { focus = false, remember = true } = {}) {
    const chosen = tabs.find((tab) => nameOf(tab) === name);
    if (!chosen) return;
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      const panel = panelOf(tab);
      delete panel.dataset.later;
      panel.hidden = tab !== chosen;
    }
    if (focus) chosen.focus();
    chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (inAddress && remember) history.replaceState(null, "", `#${name}`);
    onSelect(name);
  }

  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) select(nameOf(tab));
  });
  list.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(document.activeElement);
    const last = tabs.length - 1;
    const next = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (next === undefined || at < 0) return;
    event.preventDefault();
    select(nameOf(tabs[next]), { focus: true });
  });

  // An address such as #theory opens a tab, #pitfall-scaling the tab that holds the place.
  function followAddress() {
    const id = decodeURIComponent(location.hash.slice(1));
    if (!id) return false;
    if (tabs.some((tab) => nameOf(tab) === id)) {
      select(id, { remember: false });
      return true;
    }
    return show(id);
  }
  function show(id) {
    const place = document.getElementById(id);
    const owner = place && tabs.find((tab) => panelOf(tab).contains(place));
    if (!owner) return false;
    select(nameOf(owner), { remember: false });
    place.scrollIntoView({ block: "start" });
    place.classList.remove("found");
    requestAnimationFrame(() => place.classList.add("found"));
    return true;
  }
  if (inAddress) addEventListener("hashchange", followAddress);
  if (!inAddress || !followAddress()) select(nameOf(tabs[0]), { remember: false });
  return { select, show };
}
