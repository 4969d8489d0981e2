"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/format/count";
import { Menu } from "@/components/ui/menu";
import { saveFile } from "@/components/ui/save-file";
import { toast } from "@/components/ui/toast";
import type { ExportFormat, ExportPartView } from "@/server/costs/schema";
import type { EventKey } from "@/server/recording/event-key-schema";

/** The limit of rows, because a browser keeps the whole file in memory before it saves it. */
const ROWS_MAX = 200_000;

interface ExportMenuProps {
  /** The file's name without its ending. */
  name: string;
  part: (format: ExportFormat, cursor: EventKey | null) => Promise<ExportPartView>;
}

/** Saves the complete shown data, as CSV or as JSON lines. */
export function ExportMenu({ name, part }: ExportMenuProps) {
  const [rows, setRows] = useState<number | null>(null);
  const save = async (format: ExportFormat) => {
    if (rows !== null) return;
    setRows(0);
    try {
      const texts: string[] = [];
      let done = 0;
      let cursor: EventKey | null = null;
      do {
        const got: ExportPartView = await part(format, cursor);
        texts.push(got.text);
        done += got.rows;
        cursor = got.next;
        setRows(done);
      } while (cursor !== null && done < ROWS_MAX);
      const type = format === "csv" ? "text/csv;charset=utf-8" : "application/jsonl";
      saveFile(`${name}.${format === "csv" ? "csv" : "jsonl"}`, new Blob(texts, { type }));
      if (cursor !== null)
        toast.error(`The file has only the newest ${formatCount(done)} rows`, {
          description: "Choose a shorter range to export the rest.",
        });
    } catch (error) {
      toast.error("The export file could not be created", { description: failureSentence(error) });
    } finally {
      setRows(null);
    }
  };
  return (
    <Menu
      trigger={
        <Button size="sm" busy={rows !== null}>
          <Download aria-hidden /> {rows ? `${formatCount(rows)} rows` : "Export"}
        </Button>
      }
      items={[
        { label: "As CSV", onSelect: () => void save("csv") },
        { label: "As JSON lines", onSelect: () => void save("json") },
      ]}
    />
  );
}
