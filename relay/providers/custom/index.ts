import { custom as facts } from '../../../domain/channel/providers/custom.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { billedBalance } from '../shared/openai/billing.ts';
import { mediaOf } from '../shared/openai/media.ts';
import { openAiWithResponses } from '../shared/openai/pass-through.ts';
import { baseOf } from '../shared/outgoing.ts';
import { custom as translate } from './translate.ts';

const passing = openAiWithResponses({
  baseUrl: facts.baseUrl,
  streamOptions: 'inject',
  fullUrl: true,
});

export const custom = defineProvider({
  owner: 'custom',
  ...passing,
  media: { adapter: mediaOf(passing.text) },
  translate,
  /** The address is that of one API. */
  takesResponses: ({ settings }) => /\/responses\/?(\?|$)/.test(settings.baseUrl),
  /** The address is that of a call: the account is at the same server. */
  account: { balance: billedBalance((channel) => new URL(baseOf(channel, '')).origin) },
});
