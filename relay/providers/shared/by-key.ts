import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import type { TranslatingAdapter } from '../translate.ts';

/**
 * Providers with two interfaces distinguish them by the form of the key. Failures are read by the
 * first one, whose reader must understand both.
 */
export const byKey = (
  isSecond: (channel: UpstreamChannel) => boolean,
  [first, second]: readonly [TranslatingAdapter, TranslatingAdapter],
): TranslatingAdapter => {
  const adapterOf = (channel: UpstreamChannel): TranslatingAdapter =>
    isSecond(channel) ? second : first;
  return {
    operations: first.operations,
    request: (context) => adapterOf(context.channel).request(context),
    reply: (reply, context) => adapterOf(context.channel).reply(reply, context),
    stream: (context) => adapterOf(context.channel).stream(context),
    failure: first.failure,
  };
};
