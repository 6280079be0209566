// localStorage that may be off or full: reading gives null, writing says whether it worked.
const PREFIX = "tensorgrade:";

export function load(key) {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

export function save(key, text) {
  try {
    if (text === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, text);
    return true;
  } catch {
    return false;
  }
}

export function loadJson(key) {
  try {
    return JSON.parse(load(key));
  } catch {
    return null;
  }
}

export const keys = (start) => {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX + start)).map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
};
