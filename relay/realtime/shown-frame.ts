import { AnswerSecrets } from '../delivery/answer-secrets.ts';
import { redactAnswer } from '../delivery/redaction.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { tellsOfError } from '../protocol/usage-scan.ts';
import type { Frame } from './frames.ts';
import type { SessionPlan } from './session-plan.ts';

/** What a session and its refusal must not show. */
export const sessionSecrets = (
  { incoming, caller }: Pick<SessionPlan, 'incoming' | 'caller'>,
  channel: UpstreamChannel,
): AnswerSecrets => new AnswerSecrets({ req: incoming.req, caller }, () => channel);

/** Frames of a provider as its caller may see them. */
export const frameMask = (
  plan: Pick<SessionPlan, 'incoming' | 'caller'>,
  channel: UpstreamChannel,
): ((frame: Frame) => Frame) => {
  const secrets = sessionSecrets(plan, channel);
  return ({ bytes, isBinary }) => {
    const isError = !isBinary && tellsOfError(bytes);
    return {
      bytes: secrets.whole(isError ? redactAnswer(channel, bytes) : bytes),
      isBinary,
    };
  };
};
