/** Downloads a file in the browser. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken its copy once the click's task is over.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

/** Downloads a file whose bytes are written in base64. */
export function saveBase64File(name: string, base64: string, type: string): void {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  saveFile(name, new Blob([bytes], { type }));
}

/** Downloads what an address answers. The page stays, also when the answer is a refusal. */
export function downloadFrom(href: string): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = "";
  link.click();
}
