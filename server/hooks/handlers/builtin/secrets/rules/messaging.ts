/** Messaging and mail. */
import { assignedValueRule, prefixedTokenRule, type Rule } from "../rule.ts";
import { AN, HEX, LOWER, URL64, UUID } from "./shapes.ts";

const DISCORD_HOOKS = ["", "ptb.", "canary."].flatMap((host) => [
  `https://${host}discord.com/api/webhooks/`,
  `https://${host}discordapp.com/api/webhooks/`,
]);

/** Three dotted parts, the first with 24 to 26 characters. Found by the first dot and the six characters after it. */
const discordBot: Rule = (() => {
  const inner = prefixedTokenRule("discord-bot", ["."], `${URL64}{6}\\.${URL64}{27,38}`, { before: [URL64, 24, 26] });
  return {
    ...inner,
    find(text, at, length, looks) {
      if (text.charCodeAt(at + 7) !== 0x2e) return null;
      const span = inner.find(text, at, length, looks);
      if (!span) return null;
      for (let start = span.start; start <= at - 24; start += 1) {
        if ("MNO".includes(text.charAt(start))) return { start, end: span.end };
      }
      return null;
    },
  };
})();

export const MESSAGING = [
  prefixedTokenRule("slack", ["xoxb-", "xoxa-", "xoxp-", "xoxr-", "xoxs-"], "[a-zA-Z0-9-]{10,250}"),
  prefixedTokenRule("slack-rotating", ["xoxe-", "xoxe.xoxb-", "xoxe.xoxp-"], "[a-zA-Z0-9-]{40,300}"),
  prefixedTokenRule("slack-app", ["xapp-"], "[0-9]-[A-Z0-9]{5,20}-[0-9]{5,20}-[a-zA-Z0-9]{20,80}"),
  prefixedTokenRule("slack-webhook", ["https://hooks.slack.com/services/"], "[A-Za-z0-9+/]{40,60}"),
  prefixedTokenRule("slack-workflow", ["https://hooks.slack.com/workflows/"], "[A-Za-z0-9+/]{40,80}"),
  discordBot,
  prefixedTokenRule("discord-webhook", DISCORD_HOOKS, "[0-9]{17,20}/[A-Za-z0-9_-]{60,80}"),
  assignedValueRule("discord", ["discord"], `(?:${HEX}{64}|[a-z0-9=_-]{32}|[0-9]{18})`),
  prefixedTokenRule("telegram", [":AA"], `${URL64}{33}`, { before: ["[0-9]", 8, 10] }),
  prefixedTokenRule("twilio", ["SK"], "[a-fA-F0-9]{32}"),
  prefixedTokenRule("sendgrid", ["SG."], "[a-zA-Z0-9_.-]{66}"),
  prefixedTokenRule("sendinblue", ["xkeysib-"], `${HEX}{64}-${AN}{16}`),
  assignedValueRule("mailgun", ["mailgun"], "(?:(?:pubkey-|key-)?[a-f0-9]{32}|[a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8})"),
  prefixedTokenRule("mailchimp", ["-us"], "[0-9]{1,2}", { before: ["[a-f0-9]", 32, 32] }),
  assignedValueRule("messagebird", ["messagebird", "message-bird", "message_bird"], `(?:${LOWER}{25}|${UUID})`),
  prefixedTokenRule(
    "teams-webhook",
    [".webhook.office.com/webhookb2/"],
    `(${UUID}@${UUID}/IncomingWebhook/${HEX}{32}/${UUID})`,
    {
      anyCase: true,
    },
  ),
  prefixedTokenRule("zapier-webhook", ["https://hooks.zapier.com/hooks/catch/"], "[A-Za-z0-9/]{8,80}"),
  prefixedTokenRule("tines-webhook", [".tines.com/webhook/"], `(${HEX}{32}/${HEX}{32})`),
  prefixedTokenRule("pubnub", ["pub-c-", "sub-c-"], UUID),
  assignedValueRule("mattermost", ["mattermost"], `${LOWER}{26}`),
  assignedValueRule("zendesk", ["zendesk"], `${LOWER}{40}`),
  assignedValueRule("sendbird", ["sendbird"], `(?:${HEX}{40}|${UUID})`),
];
