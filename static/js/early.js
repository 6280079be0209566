// Before the first paint: this page has scripts, this is its theme, these are its pane sizes. Not a module: it must block.
(() => {
  const root = document.documentElement;
  root.dataset.js = "";
  addEventListener("error", (event) => {
    if (event.target?.id === "main") delete root.dataset.js; // without its modules the page reads like one without scripts
  }, true);
  try {
    const theme = localStorage.getItem("tensorgrade:theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // storage is off: the system's theme
  }
})();
