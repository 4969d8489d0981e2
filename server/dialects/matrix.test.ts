/** The matrix says what the tables of capabilities say, cell by cell, and names every gap. */
import { expect, it } from "vitest";
import { ABILITIES, listGaps } from "./capabilities.ts";
import { CLIENT_CAPABILITIES } from "./clients.ts";
import { clientMatrix, listWishRows } from "./matrix.ts";
import { clientMatrixView } from "./matrix-schema.ts";
import { answeringEvents } from "./native-events.ts";
import { CLIENT_NAMES } from "./schema.ts";

const matrix = clientMatrixView.parse(clientMatrix());

it("every cell is the one of the client's main event, and partly where another event of it differs", () => {
  let cells = 0;
  for (const { native, ability, cells: shown } of listWishRows()) {
    expect(shown.map(({ client }) => client)).toEqual(CLIENT_NAMES);
    for (const { client, cell, isPartly } of shown) {
      const all = answeringEvents(CLIENT_CAPABILITIES[client], native).map(([, capability]) => capability[ability]);
      expect(cell).toEqual(all[0] ?? "none");
      expect(isPartly).toBe(new Set(all.map((one) => JSON.stringify(one))).size > 1);
      cells += 1;
    }
  }
  expect(cells).toBeGreaterThan(100);
});

it("every event of every client is shown with every ability of its table", () => {
  for (const column of matrix.clients) {
    const { events } = CLIENT_CAPABILITIES[column.name];
    expect(column.events.map(({ name }) => name)).toEqual(Object.keys(events));
    for (const { name, native, cells, addsContext } of column.events) {
      const capability = Object.entries(events).find(([event]) => event === name)?.[1];
      expect({ native, addsContext, ...cells }).toEqual(capability);
    }
  }
});

it("names every gap that a table has", () => {
  for (const column of matrix.clients) {
    const shown = column.events.flatMap(({ name, cells }) =>
      ABILITIES.flatMap((ability) => {
        const cell = cells[ability];
        return typeof cell === "object" ? [{ event: name, ability, consequence: cell.gap }] : [];
      }),
    );
    expect(shown).toEqual(listGaps(CLIENT_CAPABILITIES[column.name]));
  }
});

it("a change of a result is one row, answered after the tool by all but docker-agent", () => {
  const rows = matrix.rows.filter(({ ability }) => ability === "rewriteOutput");
  expect(rows.map(({ native }) => native)).toEqual(["tool_response_transform"]);
  expect(rows[0]?.cells.find(({ client }) => client === "cline")?.cell).toBe("ended");
});
