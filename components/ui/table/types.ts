import type { ReactNode } from "react";

/** A value that can be copied out of a table. */
export type CellValue = string | number | bigint | boolean | Date | null | undefined;

export interface Column<Row> {
  /** Stable: remembered widths and visibility, the sort in the URL, the keys of copied JSON. */
  id: string;
  header: string;
  /** The header is read aloud, and not drawn: for a narrow column whose cells explain themselves. */
  hasHiddenHeader?: boolean;
  cell: (row: Row) => ReactNode;
  /** The value that is copied for this cell; a column without it is not copied. */
  value?: (row: Row) => CellValue;
  /** Pixels; 140 when absent. */
  width?: number;
  minWidth?: number;
  /** Takes the room that is left; one a table. */
  grow?: boolean;
  align?: "left" | "right";
  sortable?: boolean;
  /** On the header: how it is measured. */
  hint?: string;
  /** On a phone: 1 heads the card, 2 is a labelled line in it, 3 is left to the drawer. 2 when absent. */
  priority?: 1 | 2 | 3;
  /** Hidden until chosen. */
  hidden?: boolean;
  /** Cannot be hidden. */
  fixed?: boolean;
}

export interface Sort {
  id: string;
  desc: boolean;
}

export interface LoadMore {
  hasMore: boolean;
  loading: boolean;
  onLoadMore: () => void;
}

export type TableStatus = "pending" | "error" | "success";
