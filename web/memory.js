// @ts-check
// Settings that outlive the page; nothing where the browser keeps none.

export function remembered(name) {
  try {
    return localStorage.getItem(`bestmove-${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** A remembered value that was written as JSON. */
export function recall(name) {
  try {
    return JSON.parse(remembered(name) || 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(`bestmove-${name}`, value);
  } catch {
    // Without storage the setting lasts as long as the page.
  }
}
