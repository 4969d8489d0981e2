"use client";

import type { LucideIcon } from "lucide-react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import type { Permission } from "@/server/access/permissions";

/** Something the palette can do right now. */
export interface Command {
  /** Unique on the page. */
  id: string;
  /** A verb first: "Publish the draft". */
  label: string;
  group?: string;
  icon?: LucideIcon;
  /** Synonyms for the search. */
  keywords?: readonly string[];
  /** The permission that it needs; without it, the palette shows the reason. */
  to?: Permission;
  /** The key shown next to the command; the page binds it with `useHotkey`. */
  keys?: string;
  run: () => void;
}

const registered = new Map<string, Command>();
const watchers = new Set<() => void>();
let snapshot: readonly Command[] = [];
const NONE: readonly Command[] = [];

function announce(): void {
  snapshot = [...registered.values()];
  for (const watch of watchers) watch();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/**
 * Adds a page's actions to the palette while the page is mounted. An action's function may change; its id and label
 * identify it.
 */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  const key = commands.map((command) => `${command.id}\u0000${command.label}`).join("\u0001");
  // biome-ignore lint/correctness/useExhaustiveDependencies: ids and labels stand for the array
  useEffect(() => {
    const mine = commands.map((command) => ({
      ...command,
      run: () => latest.current.find((each) => each.id === command.id)?.run(),
    }));
    for (const command of mine) registered.set(command.id, command);
    announce();
    return () => {
      for (const command of mine) if (registered.get(command.id) === command) registered.delete(command.id);
      announce();
    };
  }, [key]);
}

/** Everything registered now. */
export const useRegisteredCommands = (): readonly Command[] =>
  useSyncExternalStore(
    watch,
    () => snapshot,
    () => NONE,
  );
