import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hiddenDirs } from "./hidden-dirs.ts";

let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp("/var/tmp/quarterdeck-hidden-"));
  await mkdir(join(root, "var/home"), { recursive: true });
  await symlink("var/home", join(root, "home"));
});
afterAll(() => rm(root, { recursive: true }));

describe("what is hidden from hooks", () => {
  it("includes the homes of people, where they really are", () => {
    expect(hiddenDirs(["/srv/data"], [join(root, "home"), "/srv/quarterdeck"])).toEqual([
      "/srv/data",
      join(root, "var/home"),
      "/srv/quarterdeck",
    ]);
  });

  it("names no directory within another one", () => {
    expect(hiddenDirs(["/srv/home/quarterdeck/data", "/srv/homely"], ["/srv/home", "/srv/home/ada"])).toEqual([
      "/srv/homely",
      "/srv/home",
    ]);
  });

  it.each(["/", "/usr/games", "/bin", "/dev", "/proc", "", "nowhere"])(
    "leaves hooks their programs, where %j is a home",
    (home) => {
      expect(hiddenDirs(["/srv/data"], [home])).toEqual(["/srv/data"]);
    },
  );
});
