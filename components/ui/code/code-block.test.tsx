import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";
import { CodeBlock, type CodeBlockProps } from "./code-block.tsx";

const text = (lines: number) => Array.from({ length: lines }, (_, index) => `line ${index + 1}.`).join("\n");
const drawn = (props: Partial<CodeBlockProps>) =>
  renderToStaticMarkup(
    <TooltipProvider>
      <CodeBlock label="Text" code={text(1_234)} {...props} />
    </TooltipProvider>,
  );

it("draws a long text in part, says so, and offers all of it", () => {
  const html = drawn({});
  expect(html).toContain("line 200.");
  expect(html).not.toContain("line 201.");
  expect(html).toContain("First 200 of 1,234 lines");
  expect(html).toContain("Show all lines");
});

it("draws all of a shorter one, and of one that can be linked to by line", () => {
  for (const html of [drawn({ code: text(200) }), drawn({ linkTo: "text" })]) {
    expect(html).toContain("line 200.");
    expect(html).not.toContain("Show all lines");
  }
  expect(drawn({ linkTo: "text" })).toContain("line 1234.");
});

it("draws a long one up to the last line that is marked", () => {
  const html = drawn({ marked: [3, 700] });
  expect(html).toContain("line 700.");
  expect(html).not.toContain("line 701.");
});
