/** An event in the form of a notice, with the people whom it may concern. */
import { redactText } from "@quarterdeck/hooks";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { pgText } from "../recording/index.ts";
import type { NoticeKind } from "./schema.ts";

export interface Notice {
  /** Names what happened. */
  readonly key: string;
  readonly kind: NoticeKind;
  /** Equal for similar notices, which are merged into one. */
  readonly group: string;
  readonly at: Date;
  /** Fixed text and numbers only: it is the subject of a mail and is shown on locked screens. */
  readonly title: string;
  /** One line; it may quote names and reasons, and holds no secret. */
  readonly says: string;
  readonly path: string;
  readonly isUrgent: boolean;
  /** The approval requests that it is about: it ends when none of them is pending. */
  readonly requestIds: readonly string[];
  readonly audience: Audience;
}

/** The recipients, among the people with the permission for the kind. */
export interface Audience {
  /** Null: all of them. */
  readonly only: readonly string[] | null;
  readonly except: readonly string[];
  /** Webhooks of teams, independent of people's choices. */
  readonly webhookIds: readonly string[];
}

const SAYS_CHARS_MAX = 500;

export const EVERYBODY: Audience = { only: null, except: [], webhookIds: [] };

export const noticeText = (text: string): string =>
  truncateText(pgText(redactText(text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim())), SAYS_CHARS_MAX);

type Parts = Pick<Notice, "key" | "kind" | "at" | "title" | "says" | "path"> & Partial<Notice>;

export const notice = ({ says, ...rest }: Parts): Notice => ({
  ...{
    group: `${rest.title}\n${says}`,
    isUrgent: false,
    requestIds: [],
    audience: EVERYBODY,
    ...rest,
    says: noticeText(says),
  },
});
