/**
 * A cover as a PDF with selectable text, made without a browser. The fonts (DejaVu) are embedded. A character that they
 * lack is written as its code point, and the document says so.
 */
import { createRequire } from "node:module";
import { type CoverBlock, type CoverDocument, codePointName, visibleText } from "./cover-document.ts";

type Pdf = PDFKit.PDFDocument;

/** Points. */
const MARGIN = 56;
const LABEL_WIDTH = 110;
const SIZES = { title: 18, heading: 12.5, text: 9.5, mono: 8.2, footer: 7.5 } as const;
const COLOURS = { ink: "#16181d", faint: "#545b69", good: "#17663a", bad: "#a3162a", open: "#7a5200" } as const;
const FONTS = { text: "DejaVuSans", bold: "DejaVuSans-Bold", mono: "DejaVuSansMono" } as const;
type FontName = keyof typeof FONTS;

const REPLACED =
  "The fonts of this PDF lack some characters of this text. They are written as code points, such as [U+4E2D]. The HTML cover and the file hold them unchanged.";
const RIGHT_TO_LEFT =
  "This PDF writes the words of right-to-left scripts from left to right. The HTML cover shows them in their own order.";
const RTL = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** The bytes of the PDF. */
export async function coverPdf(document: CoverDocument): Promise<Buffer> {
  // Loaded when a cover is asked for: it is large, and pages never need it.
  const { default: PdfDocument } = await import("pdfkit");
  const pdf = new PdfDocument({
    ...{ size: "A4", margin: MARGIN, bufferPages: true, lang: "en", displayTitle: true, pdfVersion: "1.7" },
    info: {
      ...{ Title: visibleText(document.title), Author: "Quarterdeck", CreationDate: document.madeAt },
      Keywords: `file-sha256:${document.file.sha256}`,
    },
  });
  const chunks: Buffer[] = [];
  const ended = new Promise<Buffer>((resolveBytes, reject) => {
    pdf.on("data", (chunk: Buffer) => void chunks.push(chunk));
    pdf.on("end", () => resolveBytes(Buffer.concat(chunks)));
    pdf.on("error", reject);
  });
  const { resolve } = createRequire(import.meta.url);
  for (const [name, file] of Object.entries(FONTS)) pdf.registerFont(name, resolve(`dejavu-fonts-ttf/ttf/${file}.ttf`));
  draw(createWriter(pdf), document);
  numberPages(pdf, document);
  pdf.end();
  return ended;
}

type Writer = ReturnType<typeof createWriter>;

interface Style {
  readonly font?: FontName;
  readonly size?: number;
  readonly colour?: string;
  readonly left?: number;
  readonly gap?: number;
}

function createWriter(pdf: Pdf) {
  const seen = { replaced: false, rightToLeft: false };
  const { left, right } = { left: MARGIN, right: pdf.page.width - MARGIN };
  const bottom = () => pdf.page.height - MARGIN;

  /** Every character that the font lacks as its code point. */
  function drawable(text: string): string {
    seen.rightToLeft ||= RTL.test(text);
    return [...visibleText(text)]
      .map((character) => {
        if (character === "\n" || hasGlyph(pdf, character)) return character;
        seen.replaced = true;
        return codePointName(character);
      })
      .join("");
  }

  function write(text: string, { font = "text", size = SIZES.text, colour = COLOURS.ink, ...at }: Style = {}): void {
    const x = at.left ?? left;
    pdf.font(font).fontSize(size).fillColor(colour);
    pdf.text(drawable(text), x, pdf.y, { width: right - x, lineGap: 1.5 });
    pdf.y += at.gap ?? 3;
  }

  return {
    seen,
    write,
    /** Begins a new page unless this much is left on the current one. */
    keep(points: number): void {
      if (pdf.y + points > bottom()) pdf.addPage();
    },
    space(points: number): void {
      pdf.y += points;
    },
    line(): void {
      pdf.moveTo(left, pdf.y).lineTo(right, pdf.y).lineWidth(0.5).strokeColor("#d5d9e0").stroke();
      pdf.y += 8;
    },
    /** A label, with its value in a column of its own. */
    fact(label: string, value: string, font: FontName): void {
      if (pdf.y + 24 > bottom()) pdf.addPage();
      const { y } = pdf;
      write(label, { colour: COLOURS.faint, gap: 0 });
      const below = pdf.y;
      pdf.y = y;
      const page = pdf.bufferedPageRange().count;
      write(value, { font, size: font === "mono" ? SIZES.mono : SIZES.text, left: left + LABEL_WIDTH });
      // A long value ends on a later page, where the label takes no room.
      if (pdf.bufferedPageRange().count === page) pdf.y = Math.max(pdf.y, below);
    },
  };
}

interface WithFont {
  readonly _font: { readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } };
}

function hasGlyph(pdf: Pdf, character: string): boolean {
  // Holds: every registered font is embedded, and pdfkit keeps the parsed font there.
  const { _font } = pdf as unknown as WithFont;
  return _font.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
}

function draw(writer: Writer, { title, subtitle, result, sections }: CoverDocument): void {
  writer.write(title, { font: "bold", size: SIZES.title, gap: 6 });
  writer.write(subtitle, { colour: COLOURS.faint, gap: 8 });
  writer.write(result.text, { font: "bold", colour: COLOURS[result.tone], gap: 10 });
  for (const { heading, blocks } of sections) {
    writer.keep(70);
    writer.space(8);
    writer.line();
    writer.write(heading, { font: "bold", size: SIZES.heading, gap: 6 });
    for (const block of blocks) drawBlock(writer, block);
  }
  const { replaced, rightToLeft } = writer.seen;
  if (!replaced && !rightToLeft) return;
  writer.space(8);
  if (replaced) writer.write(REPLACED, { colour: COLOURS.faint });
  if (rightToLeft) writer.write(RIGHT_TO_LEFT, { colour: COLOURS.faint });
}

function drawBlock(writer: Writer, block: CoverBlock): void {
  if (block.kind === "text") writer.write(block.text);
  else if (block.kind === "code") writer.write(block.text, { font: "mono", size: SIZES.mono, gap: 6 });
  else if (block.kind === "list") for (const item of block.items) writer.write(`• ${item}`);
  else {
    for (const { label, value, isMono } of block.facts) writer.fact(label, value, isMono ? "mono" : "text");
    writer.space(6);
  }
}

/** The number of each page, with the file that the document describes. */
function numberPages(pdf: Pdf, { file }: CoverDocument): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    pdf.switchToPage(page);
    // Text below the margin would begin another page.
    pdf.page.margins.bottom = 0;
    pdf.font("text").fontSize(SIZES.footer).fillColor(COLOURS.faint);
    pdf.text(`${file.name} · SHA-256 ${file.sha256}`, MARGIN, pdf.page.height - 40, { lineBreak: false });
    pdf.text(`Page ${page + 1} of ${count}`, MARGIN, pdf.page.height - 28, { lineBreak: false });
  }
}
