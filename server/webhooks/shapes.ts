/**
 * The body of a request in the format of its receiver. Texts of agents and people are used only in elements that the
 * receiver does not parse as markup, and in a form that it does not turn into links or mentions.
 */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { type Notice, noticeOf } from "./notice.ts";
import type { WebhookShape } from "./schema.ts";

const FACT_CHARS_MAX = 300;
const INPUT_CHARS_MAX = 500;
/** Marks no place to break a line, and shows as nothing. */
const WORD_JOINER = "\u2060";

export function bodyInShape(shape: WebhookShape, body: string): string {
  if (shape === "json") return body;
  const notice = noticeOf(body);
  return JSON.stringify(shape === "slack" ? slackMessage(notice) : teamsMessage(notice));
}

/**
 * One line without control, format and direction characters, truncated. Receivers make links of bare domains and
 * addresses, and mentions of names after an @: a word joiner inside them prevents it.
 */
export function inertText(text: string, charactersMax: number): string {
  const line = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();
  if (line === "") return "–";
  return truncateText(line, charactersMax).replaceAll(/[.:@/#]/g, (mark) => `${mark}${WORD_JOINER}`);
}

/** Escapes Slack's three control characters; `plain_text` has no other markup. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const plain = (text: string) => ({ type: "plain_text", text, emoji: false });
const plainOf = (text: string, charactersMax: number) => plain(escaped(inertText(text, charactersMax)));

function slackMessage({ title, facts, input, url }: Notice) {
  const fields = facts.map(({ label, text }) => plainOf(`${label} = ${text}`, FACT_CHARS_MAX));
  return {
    // Read aloud and shown in notifications: words of ours alone.
    text: title,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: "header", text: plain(title) },
      ...(fields.length > 0 ? [{ type: "section", fields }] : []),
      ...(input === null ? [] : [{ type: "section", text: plainOf(input, INPUT_CHARS_MAX) }]),
      ...(url === null
        ? []
        : [{ type: "actions", elements: [{ type: "button", text: plain("Open in Quarterdeck"), url }] }]),
    ],
  };
}

/** A text run is never Markdown; a text block is. */
const paragraph = (...runs: object[]) => ({ type: "RichTextBlock", inlines: runs });
const run = (text: string, style: object = {}) => ({ type: "TextRun", text, ...style });

function teamsMessage({ title, facts, input, url }: Notice) {
  const card = {
    type: "AdaptiveCard",
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    version: "1.4",
    body: [
      paragraph(run(title, { weight: "Bolder", size: "Medium" })),
      ...facts.map(({ label, text }) =>
        paragraph(
          run(`${inertText(label, FACT_CHARS_MAX)}: `, { isSubtle: true }),
          run(inertText(text, FACT_CHARS_MAX)),
        ),
      ),
      ...(input === null ? [] : [paragraph(run(inertText(input, INPUT_CHARS_MAX), { fontType: "Monospace" }))]),
    ],
    actions: url === null ? [] : [{ type: "Action.OpenUrl", title: "Open in Quarterdeck", url }],
  };
  const attachment = { contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content: card };
  return { type: "message", attachments: [attachment] };
}
