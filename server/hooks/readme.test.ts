/** The example of README.md as a program of its own: its gate denies. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect, it } from "vitest";

const FOLDER = "/var/lib/somewhere/scratch";

it("the README's example denies", async () => {
  const text = await readFile(new URL("README.md", import.meta.url), "utf8");
  const example = /```ts\n(.*?)```/s.exec(text)?.[1] ?? "";
  expect(example).toContain(FOLDER);
  const scratch = await mkdtemp(join(tmpdir(), "quarterdeck-readme-"));
  try {
    const program = example.replace(FOLDER, scratch);
    const { stdout } = await execa("node", ["--import", "tsx", "--input-type=module", "--eval", program], {
      cwd: fileURLToPath(new URL(".", import.meta.url)),
    });
    const [allowed, why, ...answer] = stdout.split("\n");
    expect(allowed).toBe("false");
    expect(why).toContain("Delete single files instead.");
    expect(answer.join("\n")).toContain("block");
  } finally {
    await rm(scratch, { recursive: true });
  }
});
