/** The fixture of a builtin case: its own folders, a repository, and a server that answers and records requests. */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import type { BuiltinCase, BuiltinStep } from "./builtin-cases.ts";
import { expandValues } from "./builtin-values.ts";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly contentType: string;
}

export interface CaseFolders {
  readonly root: string;
  readonly cwd: string;
  readonly home: string;
  readonly tmp: string;
  readonly data: string;
  readonly env: Readonly<Record<string, string>>;
  readonly requests: readonly SeenRequest[];
  /** A part of the case with its descriptions replaced. */
  value(of: unknown): unknown;
  /** The output of `git status` and the refs and stashes of the root; empty outside a repository. */
  repository(): Promise<string>;
  edit(edit: BuiltinStep["edit"]): Promise<void>;
  remove(): Promise<void>;
}

/** Creates the folders of one case below the system's temporary folder. */
export async function createCaseFolders({ fixture = {} }: BuiltinCase, path: string): Promise<CaseFolders> {
  const base = await mkdtemp(join(await realpath(tmpdir()), "builtin-case-"));
  const at = (name: string) => join(base, name);
  const [root, home, tmp, data] = [at("root"), at("home"), at("tmp"), at("data")];
  for (const dir of [root, home, tmp, data]) await mkdir(dir);
  const mock = await mockServer(fixture.http?.status ?? 200);
  const cwd = join(root, fixture.cwd ?? "");
  const env = {
    ...{ PATH: path, HOME: home, TMPDIR: tmp, TEMP: tmp, TMP: tmp, LC_ALL: "C" },
    ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    ...{ GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@example.org" },
    ...{ GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@example.org" },
  };
  const places = { CWD: cwd, ROOT: root, HOME: home, TMP: tmp, MOCK_URL: mock.url };
  const value = (of: unknown) => expandValues(of, places);
  const git = async (...args: string[]) =>
    (await execa("git", ["-C", root, ...args], { env, extendEnv: false })).stdout;

  const write = async (dir: string, files: Readonly<Record<string, unknown>> | undefined) => {
    for (const [name, content] of Object.entries(files ?? {})) {
      await mkdir(dirname(join(dir, name)), { recursive: true });
      await writeFile(join(dir, name), String(value(content)));
    }
  };
  const erase = (paths: readonly string[] | undefined) =>
    Promise.all((paths ?? []).map((one) => rm(join(root, one), { recursive: true, force: true })));

  await mkdir(cwd, { recursive: true });
  if (fixture.git) await git("init", "-q", "-b", "main");
  for (const { message, files } of fixture.commits ?? []) {
    await write(root, files);
    await git("add", "-A");
    await git("commit", "-q", "-m", message);
  }
  await write(root, fixture.files);
  if (fixture.stage) await git("add", "--", ...fixture.stage);
  for (const dir of fixture.dirs ?? []) await mkdir(join(root, dir), { recursive: true });
  for (const [link, target] of Object.entries(fixture.symlinks ?? {})) await symlink(target, join(root, link));
  await erase(fixture.delete);
  await write(home, fixture.home_files);
  await write(tmp, fixture.tmp_files);

  return {
    ...{ root, cwd, home, tmp, data, env, value },
    requests: mock.requests,
    async repository() {
      if (!fixture.git) return "";
      const shown = [["status", "--porcelain=v1", "-uall"], ["for-each-ref"], ["stash", "list"]];
      return (await Promise.all(shown.map((args) => git(...args)))).join("\n---\n");
    },
    async edit(edit) {
      await write(root, edit?.write);
      await erase(edit?.delete);
    },
    async remove() {
      await mock.close();
      await rm(base, { recursive: true, force: true });
    },
  };
}

async function mockServer(status: number) {
  const requests: SeenRequest[] = [];
  const server = createServer((request, answer) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const body = Buffer.concat(parts).toString("utf8");
      requests.push({ method, path: url, body, contentType: headers["content-type"] ?? "" });
      answer.writeHead(status).end("{}");
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo; // holds: it listens on a port, not on a path
  return {
    requests,
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
