/** Compares stored rows with those from the log, and keeps the first differences of each table. */

import { setImmediate } from "node:timers/promises";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { DerivedTable, TextRow } from "../recording/index.ts";
import type { Difference, TableCheck } from "./schema.ts";

const FIRST = 20;
const VALUE_CHARACTERS_MAX = 200;
/** Others are served between as many rows. */
const TURN_ROWS = 1_000;

type Shape = Pick<DerivedTable<never>, "name" | "key" | "columns">;

export interface Differences {
  /** Compares the rows of `table`, each once; rows for which `isLeftOut` is true are ignored. */
  compare(
    table: Shape,
    computed: Iterable<TextRow>,
    stored: AsyncIterable<TextRow>,
    isLeftOut?: (row: TextRow) => boolean,
  ): Promise<void>;
  unreadable(table: string, key: string, column: string): void;
  /** Forgets a table whose rows differ; false when none does. */
  setAside(table: string): boolean;
  result(): { readonly tables: TableCheck[]; readonly differences: Difference[]; readonly differing: number };
}

export function createDifferences(): Differences {
  const checks = new Map<string, { -readonly [Name in keyof TableCheck]: TableCheck[Name] }>();
  const kept = new Map<string, Difference[]>();

  function checkOf(table: string) {
    const check = checks.get(table) ?? { table, compared: 0, differing: 0, missing: 0, extra: 0 };
    checks.set(table, check);
    return check;
  }

  function keep(difference: Difference): void {
    const first = kept.get(difference.table) ?? [];
    kept.set(difference.table, first);
    if (first.length >= FIRST) return;
    const { stored, computed } = difference;
    first.push({ ...difference, stored: stored && cut(stored), computed: computed && cut(computed) });
  }

  function whole(table: Shape, kind: "missing" | "extra", row: TextRow): void {
    checkOf(table.name)[kind] += 1;
    keep({ table: table.name, key: keyOf(table, row), kind, column: null, stored: null, computed: null });
  }

  function compareRow(table: Shape, stored: TextRow, computed: TextRow): void {
    let isEqual = true;
    for (const [at, { name: column }] of table.columns.entries()) {
      const [was, is] = [stored[at] ?? null, computed[at] ?? null];
      if (was === is) continue;
      isEqual = false;
      const key = keyOf(table, stored);
      keep({ table: table.name, key, kind: "differs", column, stored: was, computed: is });
    }
    if (!isEqual) checkOf(table.name).differing += 1;
  }

  return {
    async compare(table, computed, stored, isLeftOut = () => false) {
      const check = checkOf(table.name);
      const expected = new Map<string, TextRow>();
      let turn = 0;
      for (const row of computed) {
        if (!isLeftOut(row)) expected.set(nameOf(table, row), row);
        turn += 1;
        if (turn % TURN_ROWS === 0) await setImmediate();
      }
      check.compared += expected.size;
      for await (const row of stored) {
        if (isLeftOut(row)) continue;
        const name = nameOf(table, row);
        const found = expected.get(name);
        if (found === undefined) {
          check.compared += 1;
          whole(table, "extra", row);
        } else {
          expected.delete(name);
          compareRow(table, row, found);
        }
      }
      for (const row of expected.values()) whole(table, "missing", row);
    },
    unreadable(table, key, column) {
      checkOf(table).differing += 1;
      keep({ table, key, kind: "unreadable", column, stored: null, computed: null });
    },
    setAside(table) {
      const check = checks.get(table);
      if (check === undefined || check.differing + check.missing + check.extra === 0) return false;
      kept.delete(table);
      return checks.delete(table);
    },
    result() {
      const tables = [...checks.values()];
      const differing = tables.reduce((sum, one) => sum + one.differing + one.missing + one.extra, 0);
      return { tables, differences: [...kept.values()].flat(), differing };
    },
  };
}

const nameOf = ({ key }: Shape, row: TextRow): string => JSON.stringify(row.slice(0, key.length));

const keyOf = ({ key }: Shape, row: TextRow): string =>
  key.map((name, at) => `${name}=${cut(row[at] ?? "")}`).join(" ");

const cut = (text: string): string => truncateText(text, VALUE_CHARACTERS_MAX);
