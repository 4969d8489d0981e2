"use client";

import type { CallReading, ReadCommand, ReadPath } from "@quarterdeck/hooks/reading/schema";
import { ACCESS_WORDS, CLASS_WORDS, OPAQUE_WORDS } from "@quarterdeck/hooks/reading/words";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { plural } from "@/components/ui/format/count";

/** A call as it was understood: its commands as a tree, paths with their classes, hosts, statements and opaque parts. */
export function CallReadingView({ reading }: { reading: CallReading }) {
  const { commands, paths, hosts, mcp, sql, opaque, leftOut } = reading;
  const isEmpty = commands.length + paths.length + hosts.length + sql.length + opaque.length === 0 && mcp === null;
  if (isEmpty) return <p className="text-muted">The call names no command, path or host.</p>;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {opaque.length === 0 ? null : (
        <Part title="Parts that cannot be analyzed in advance">
          {opaque.map((one, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no identity but their place
            <li key={at} className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Badge look="outline">{OPAQUE_WORDS[one.kind]}</Badge>
              <span>{one.reason}</span>
              <code className="break-all text-muted">{one.source}</code>
            </li>
          ))}
        </Part>
      )}
      {mcp === null ? null : (
        <Part title="MCP tool">
          <li>
            <code className="break-all">{mcp.tool}</code> of{" "}
            {mcp.server === "" ? "a server without a name" : <code className="break-all">{mcp.server}</code>}
          </li>
        </Part>
      )}
      {commands.length === 0 ? null : (
        <section aria-label="Commands" className="flex flex-col gap-1">
          <h3 className="text-muted text-sm">Commands</h3>
          <Commands commands={commands} parent={null} />
        </section>
      )}
      {paths.length + hosts.length === 0 ? null : (
        <Part title="Paths and hosts">
          <Used paths={paths} hosts={hosts} />
        </Part>
      )}
      {sql.length === 0 ? null : (
        <Part title="SQL statements">
          {sql.map((one, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: statements have no identity but their place
            <li key={at} className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Badge>{one.verb}</Badge>
              <span className="text-muted">{one.hasWhere ? "with WHERE" : "without WHERE"}</span>
              <code className="break-all text-muted">{one.source}</code>
            </li>
          ))}
        </Part>
      )}
      {leftOut === 0 ? null : <p className="text-faint text-sm">{plural(leftOut, "more item")} not listed.</p>}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-1">
      <h3 className="text-muted text-sm">{title}</h3>
      <ul className="flex flex-col gap-1 text-sm">{children}</ul>
    </section>
  );
}

/** The commands that one command starts; for null, those of the call itself. */
function Commands({ commands, parent }: { commands: readonly ReadCommand[]; parent: number | null }) {
  const own = [...commands.entries()].filter(([, one]) => one.parent === parent);
  if (own.length === 0) return null;
  return (
    <ul className={cn("flex flex-col gap-2 text-sm", parent !== null && "mt-1.5 ml-1 border-line border-l pl-3")}>
      {own.map(([at, { source, program, flags, directory, paths, hosts }]) => (
        <li key={at} className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <code className="min-w-0 break-all">{source || program}</code>
            {flags
              .filter((flag) => flag.length > 1 && !source.includes(`-${flag}`))
              .map((flag) => (
                <Badge key={flag} look="outline">
                  {flag}
                </Badge>
              ))}
            {directory === "." ? null : <span className="text-faint">in {directory ?? "an unknown folder"}</span>}
          </p>
          {paths.length + hosts.length === 0 ? null : (
            <ul className="mt-1 flex flex-col gap-1">
              <Used paths={paths} hosts={hosts} />
            </ul>
          )}
          <Commands commands={commands} parent={at} />
        </li>
      ))}
    </ul>
  );
}

function Used({ paths, hosts }: Pick<CallReading, "paths" | "hosts">) {
  return (
    <>
      {paths.map((path) => (
        <PathLine key={`${path.access} ${path.path ?? path.source}`} path={path} />
      ))}
      {hosts.map(({ name, source }) => (
        <li key={`${name} ${source}`} className="flex flex-wrap items-center gap-x-2">
          <span className="text-muted">host</span>
          {name === "" ? <span>not known in advance</span> : <code className="break-all">{name}</code>}
        </li>
      ))}
    </>
  );
}

function PathLine({ path: { source, path, access, classes } }: { path: ReadPath }) {
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="text-muted">{ACCESS_WORDS[access]}</span>
      <code className="min-w-0 break-all">{path ?? source}</code>
      {path === null ? <span className="text-faint">not known in advance</span> : null}
      {classes.map((one) => (
        <Badge key={one}>{CLASS_WORDS[one]}</Badge>
      ))}
    </li>
  );
}
