/** Messaging and mail. */
import { assigned, type Rule, token } from "../rule.ts";
import { AN, HEX, LOWER, URL64, UUID } from "./shapes.ts";

const DISCORD_HOOKS = ["", "ptb.", "canary."].flatMap((host) => [
  `https://${host}discord.com/api/webhooks/`,
  `https://${host}discordapp.com/api/webhooks/`,
]);

/** Three dotted parts, the first from 24 to 26 characters long: found by its first dot and the six characters behind. */
const discordBot: Rule = (() => {
  const inner = token("discord-bot", ["."], `${URL64}{6}\\.${URL64}{27,38}`, { before: [URL64, 24, 26] });
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
  token("slack", ["xoxb-", "xoxa-", "xoxp-", "xoxr-", "xoxs-"], "[a-zA-Z0-9-]{10,250}"),
  token("slack-rotating", ["xoxe-", "xoxe.xoxb-", "xoxe.xoxp-"], "[a-zA-Z0-9-]{40,300}"),
  token("slack-app", ["xapp-"], "[0-9]-[A-Z0-9]{5,20}-[0-9]{5,20}-[a-zA-Z0-9]{20,80}"),
  token("slack-webhook", ["https://hooks.slack.com/services/"], "[A-Za-z0-9+/]{40,60}"),
  token("slack-workflow", ["https://hooks.slack.com/workflows/"], "[A-Za-z0-9+/]{40,80}"),
  discordBot,
  token("discord-webhook", DISCORD_HOOKS, "[0-9]{17,20}/[A-Za-z0-9_-]{60,80}"),
  assigned("discord", ["discord"], `(?:${HEX}{64}|[a-z0-9=_-]{32}|[0-9]{18})`),
  token("telegram", [":AA"], `${URL64}{33}`, { before: ["[0-9]", 8, 10] }),
  token("twilio", ["SK"], "[a-fA-F0-9]{32}"),
  token("sendgrid", ["SG."], "[a-zA-Z0-9_.-]{66}"),
  token("sendinblue", ["xkeysib-"], `${HEX}{64}-${AN}{16}`),
  assigned("mailgun", ["mailgun"], "(?:(?:pubkey-|key-)?[a-f0-9]{32}|[a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8})"),
  token("mailchimp", ["-us"], "[0-9]{1,2}", { before: ["[a-f0-9]", 32, 32] }),
  assigned("messagebird", ["messagebird", "message-bird", "message_bird"], `(?:${LOWER}{25}|${UUID})`),
  token("teams-webhook", [".webhook.office.com/webhookb2/"], `(${UUID}@${UUID}/IncomingWebhook/${HEX}{32}/${UUID})`, {
    anyCase: true,
  }),
  token("zapier-webhook", ["https://hooks.zapier.com/hooks/catch/"], "[A-Za-z0-9/]{8,80}"),
  token("tines-webhook", [".tines.com/webhook/"], `(${HEX}{32}/${HEX}{32})`),
  token("pubnub", ["pub-c-", "sub-c-"], UUID),
  assigned("mattermost", ["mattermost"], `${LOWER}{26}`),
  assigned("zendesk", ["zendesk"], `${LOWER}{40}`),
  assigned("sendbird", ["sendbird"], `(?:${HEX}{40}|${UUID})`),
];
