import { saveFile } from "@/components/ui/save-file";

const DRAWN = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
];

/** Draws the chart's SVG as the page shows it, at twice its size with a background, and saves it as a PNG. */
export async function savePng(chart: HTMLElement, name: string): Promise<void> {
  const source = chart.querySelector<SVGSVGElement>("svg[data-drawing]");
  if (!source) throw new Error("there is no drawing yet");
  const { width, height } = source.getBoundingClientRect();
  const image = await load(standalone(source, width, height));
  const canvas = document.createElement("canvas");
  canvas.width = width * 2;
  canvas.height = height * 2;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("the browser gave no canvas");
  context.scale(2, 2);
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--surface");
  context.fillRect(0, 0, width, height);
  context.drawImage(image, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("the browser made no image");
  saveFile(`${name}.png`, blob);
}

/** The SVG with every colour and font written out: an image knows no stylesheet. */
function standalone(source: SVGSVGElement, width: number, height: number): string {
  const copy = source.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) throw new Error("a copied svg is an svg");
  const copies = copy.querySelectorAll<SVGElement>("*");
  for (const [index, original] of source.querySelectorAll("*").entries()) {
    const style = getComputedStyle(original);
    for (const property of DRAWN) copies[index]?.style.setProperty(property, style.getPropertyValue(property));
  }
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
}

function load(url: string): Promise<HTMLImageElement> {
  return new Promise((done, fail) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = () => fail(new Error("the drawing could not be read back"));
    image.src = url;
  });
}
