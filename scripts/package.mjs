/**
 * `npm run package`: an npm package with built pages and programs, in dist/package, and its tarball in dist. `npx` of it builds
 * nothing. It has the folders of a checkout, because the programs find files by their place in it.
 */
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { build, prepare } from "./prepare.mjs";
import { program } from "./programs.mjs";
import { main, must, npm, ROOT, say } from "./project.mjs";

const PACKAGE = join(ROOT, "dist/package");
/** Two levels, as the folders of `.quarterdeck-build` in a checkout. */
const PROGRAMS = "build/programs";
const PAGES = "build/pages";
const COPIED = ["README.md", "LICENSE", "CHANGELOG.md", "next.config.mjs", "prisma/migrations", "docs"];
/** The pages' own packages; all others are in their build. */
const PAGE_PACKAGES = ["next", "react", "react-dom"];
/** Programs that run as they are written: the command spawner and the entry of a worker thread. */
const isRunAsWritten = (path) => /^server\/.*\.mjs$/.test(path);

/** The tarball's path. */
export async function makePackage() {
  await prepare({ withDevelopment: true });
  const [pages, programs] = [await build(), dirname(await program("main"))];
  rmSync(PACKAGE, { recursive: true, force: true });
  mkdirSync(PACKAGE, { recursive: true });
  for (const path of COPIED) copy(join(ROOT, path), path, isUnserved);
  for (const path of filesIn("server").filter(isRunAsWritten)) copy(join(ROOT, path), path);
  for (const path of filesIn("dist").filter((one) => /^dist\/quarterdeck-[\w-]+\.(?:mjs|sh)$/.test(one)))
    copy(join(ROOT, path), path);
  copy(programs, PROGRAMS, isUsersList);
  copy(join(ROOT, pages), PAGES, isUsersList);
  copy(join(ROOT, "scripts/package-start.mjs"), "bin/quarterdeck.mjs");
  chmodSync(join(PACKAGE, "bin/quarterdeck.mjs"), 0o755);
  writeFileSync(join(PACKAGE, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
  await must("npm pack", ...npm(["pack", "--pack-destination", join(ROOT, "dist"), PACKAGE]));
  return join(ROOT, "dist", `quarterdeck-${manifest().version}.tgz`);
}

/** Decision records and pictures, which the console does not serve. */
const isUnserved = (path) => /\/docs\/(?:adr|screenshots)$/.test(path);

/** A build keeps a list of its users next to its files. */
const isUsersList = (path) => path.endsWith("/users");

function copy(from, to, skip = () => false) {
  cpSync(from, join(PACKAGE, to), { recursive: true, filter: (path) => !skip(path) });
}

const filesIn = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));

function manifest() {
  const { name, version, description, license, engines, optionalDependencies } = read("package.json");
  const used = [...new Set([...PAGE_PACKAGES, ...importedPackages()])].sort();
  return {
    ...{ name, version, description, license, type: "module", engines },
    bin: { [name]: "bin/quarterdeck.mjs" },
    dependencies: Object.fromEntries(used.map((one) => [one, installedVersion(one)])),
    optionalDependencies,
  };
}

/** The packages that the built programs import. */
function importedPackages() {
  const found = new Set();
  for (const file of readdirSync(join(PACKAGE, PROGRAMS)).filter((one) => one.endsWith(".mjs"))) {
    const text = readFileSync(join(PACKAGE, PROGRAMS, file), "utf8");
    // A statement has a line of its own in what esbuild writes; an import on demand may be anywhere.
    for (const [, specifier] of text.matchAll(/(?:^(?:import|export)\b[^"\n]*|\bimport\()"([^"./][^"]*)"/gm))
      found.add(packageOf(specifier));
  }
  return [...found].filter((name) => !name.startsWith("node:") && !builtinModules.includes(name));
}

const packageOf = (specifier) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
const installedVersion = (name) => read(`node_modules/${name}/package.json`).version;
const read = (path) => JSON.parse(readFileSync(join(ROOT, path), "utf8"));

if (process.argv[1] === join(ROOT, "scripts/package.mjs")) await main(async () => say(`made ${await makePackage()}`));
