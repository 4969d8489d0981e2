/** Runs a configured hook as its client would, and captures the output that the client would see. */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import type { ConfiguredHook } from "./configured-hook.ts";
import { HOST_PROGRAM, type PluginCall } from "./plugin-host.ts";

/** Nobody waits as long for a drill as for a person's answer. */
export const HOOK_MS_MAX = 25_000;
const OUTPUT_BYTES_MAX = 1024 * 1024;

export type HookRun =
  | { readonly kind: "exited"; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: "answered"; readonly status: number; readonly body: string }
  | { readonly kind: "thrown" | "returned" | "timed_out" | "failed" };

export interface RunContext {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A port without a listener, for a drill with an unreachable console. */
  readonly closedPort: number | null;
  /** Cursor attaches the payload to the command itself. */
  readonly attachesPayload: boolean;
}

export function runHook(hook: ConfiguredHook, payload: unknown, context: RunContext): Promise<HookRun> {
  const { action, timeoutMs } = hook;
  const limitMs = Math.min(timeoutMs, HOOK_MS_MAX);
  const text = JSON.stringify(payload);
  switch (action.kind) {
    case "http":
      return post(awayUrl(action.url, context.closedPort), action.headers, text, limitMs);
    case "plugin": {
      // Holds: probes of opencode hand over the two arguments of a callback.
      const call = { ...(payload as Pick<PluginCall, "input" | "output">), callback: hook.event, ...context };
      return runPlugin({ ...call, path: action.path, closedPort: context.closedPort }, context, limitMs);
    }
    case "executable":
      return runExecutable(action.path, text, context, limitMs);
    case "command": {
      const { environment } = action;
      const command = awayText(action.command, context.closedPort);
      const given = { ...context, environment: { ...context.environment, ...environment } };
      if (!context.attachesPayload) return runProcess(["/bin/sh", "-c", command], text, given, limitMs);
      return runProcess(
        ["/bin/sh", "-c", `${command} <<'CURSOR_HOOK_EOF'\n${text}\nCURSOR_HOOK_EOF\n`],
        "",
        given,
        limitMs,
      );
    }
  }
}

const HOOK_ADDRESS = /https?:\/\/[A-Za-z0-9.:[\]_~/-]+?(?=\/api\/v1\/hooks\/)/g;

/** The text of a hook that asks at the closed port: relays of ours use no proxy of the environment. */
function awayText(text: string, closedPort: number | null): string {
  return closedPort === null ? text : text.replace(HOOK_ADDRESS, `http://127.0.0.1:${closedPort}`);
}

/** A shell script with an address of ours in it is run by its text while the console is to be away; any other program as it is. */
async function runExecutable(path: string, input: string, context: RunContext, limitMs: number): Promise<HookRun> {
  const text = context.closedPort === null ? "" : await readFile(path, "utf8").catch(() => "");
  const away = text.startsWith("#!/bin/sh\n") ? awayText(text, context.closedPort) : text;
  return runProcess(away === text ? [path] : ["/bin/sh", "-c", away, path], input, context, limitMs);
}

/**
 * Both spellings, because curl reads only the lower-case name of the HTTP proxy. The casts hold: Next's types require
 * NODE_ENV, which hooks do not need.
 */
function environmentOf({ environment, closedPort }: RunContext): NodeJS.ProcessEnv {
  if (closedPort === null) return { ...environment } as NodeJS.ProcessEnv;
  const away = `http://127.0.0.1:${closedPort}`;
  const names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "HTTP_PROXY", "all_proxy", "ALL_PROXY"];
  const proxies = Object.fromEntries(names.map((name) => [name, away]));
  return {
    ...environment,
    ...proxies,
    no_proxy: "",
    NO_PROXY: "",
    QUARTERDECK_URL: away,
  } as unknown as NodeJS.ProcessEnv;
}

function runProcess(
  [program = "", ...args]: readonly string[],
  input: string,
  context: RunContext,
  limitMs: number,
): Promise<HookRun> {
  return new Promise((resolve) => {
    const options = { cwd: context.directory, env: environmentOf(context), detached: true } as const;
    const child = spawn(program, args, options);
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      endGroup(child.pid);
    }, limitMs);
    child.on("error", () => {
      clearTimeout(timer);
      resolve({ kind: "failed" });
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      if (isLate) resolve({ kind: "timed_out" });
      else if (code === null) resolve({ kind: "failed" });
      else resolve({ kind: "exited", code, stdout: stdout(), stderr: stderr() });
    });
    child.stdin.on("error", () => undefined); // a hook need not read
    child.stdin.end(input);
  });
}

/** The hook's children go with it. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}

/** Output beyond the limit is read and dropped: no valid answer is that long. */
function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= OUTPUT_BYTES_MAX) chunks.push(chunk);
  });
  return () => (bytes <= OUTPUT_BYTES_MAX ? Buffer.concat(chunks).toString("utf8") : "");
}

async function runPlugin(call: PluginCall, context: RunContext, limitMs: number): Promise<HookRun> {
  const args = [process.execPath, "--input-type=module", "-e", HOST_PROGRAM];
  const run = await runProcess(args, JSON.stringify(call), { ...context, closedPort: null }, limitMs);
  if (run.kind !== "exited") return run;
  return { kind: run.stdout.endsWith("thrown") ? "thrown" : run.stdout.endsWith("returned") ? "returned" : "failed" };
}

/** The same path at a port where nothing listens. */
function awayUrl(url: string, closedPort: number | null): string {
  if (closedPort === null || !URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return `http://127.0.0.1:${closedPort}${pathname}${search}`;
}

function post(url: string, headers: Readonly<Record<string, string>>, body: string, limitMs: number): Promise<HookRun> {
  if (!URL.canParse(url) || !/^https?:/.test(url)) return Promise.resolve({ kind: "failed" });
  const send = url.startsWith("https:") ? tlsRequest : plainRequest;
  const signal = AbortSignal.timeout(limitMs);
  const options = {
    ...{ method: "POST", agent: false, signal },
    headers: { "content-type": "application/json", ...headers, "content-length": Buffer.byteLength(body) },
  };
  return new Promise((resolve) => {
    const fail = () => resolve({ kind: signal.aborted ? "timed_out" : "failed" });
    try {
      const sent = send(url, options, (response) => {
        const text = collect(response);
        response.on("error", fail);
        response.on("end", () => resolve({ kind: "answered", status: response.statusCode ?? 0, body: text() }));
      });
      sent.on("error", fail);
      sent.end(body);
    } catch {
      // A header that cannot be sent.
      fail();
    }
  });
}
