/** Checks policy texts in a worker, so that typing never waits. Each message in gets one message out, in order. */
import { type CheckContext, checkText } from "@quarterdeck/hooks/contract/text/check";

export interface Asked {
  readonly text: string;
  readonly context: CheckContext;
}

self.onmessage = ({ data }: MessageEvent<Asked>) => {
  self.postMessage(checkText(data.text, data.context));
};
