/** The part of the environment that a hook may know, and the way its own settings refer to it. */
import type { Environment } from "./engine/ports.ts";

// Not SHELL: a gate must not decide otherwise because somebody started the server from another shell.
const ALLOWED = new Set(["PATH", "LANG", "LANGUAGE", "TZ"]);
const PATH_OTHERWISE = "/usr/local/bin:/usr/bin:/bin";

/** The part of an environment that strangers' hooks may see: no secrets, no directories of ours. */
export function allowedEnvironment(env: Readonly<Record<string, string | undefined>>): Environment {
  const allowed: Record<string, string> = { PATH: PATH_OTHERWISE };
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (ALLOWED.has(name) || name.startsWith("LC_"))) allowed[name] = value;
  }
  return allowed;
}

/** A hook's `env` over a base: literal values, except one that is nothing but a reference to a variable of the base. */
export function hookEnvironment(base: Environment, own: Readonly<Record<string, string>> | undefined): Environment {
  const merged: Record<string, string> = { ...base };
  for (const [name, value] of Object.entries(own ?? {})) {
    const reference = /^\$\{env\.([^}]+)\}$/.exec(value)?.[1];
    merged[name] = reference === undefined ? value : (base[reference] ?? "");
  }
  return merged;
}

/** A path with its leading `~` and its variables (`$VAR`, `${VAR}`, `${env.VAR}`) filled in; unset ones are empty. */
export function expandPath(path: string, env: Environment): string {
  const home = /^~(?=\/|$)/.test(path) ? `${env.HOME ?? "."}${path.slice(1)}` : path;
  return home.replace(
    /\$(?:\{(?:env\.)?([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g,
    (_match, braced?: string, bare?: string) => {
      return env[braced ?? bare ?? ""] ?? "";
    },
  );
}
