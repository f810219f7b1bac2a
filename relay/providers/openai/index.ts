import { openai as facts } from '../../../domain/channel/providers/openai.ts';
import { openAiModels } from '../shared/account.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { billedBalance } from '../shared/openai/billing.ts';
import { mediaOf } from '../shared/openai/media.ts';
import { openAiWithResponses } from '../shared/openai/pass-through.ts';
import { translatingOpenAi } from '../shared/openai/translating.ts';
import { baseOf } from '../shared/outgoing.ts';
import { realtimeAt } from '../shared/realtime.ts';
import { responsesCounter } from './count.ts';

const { baseUrl } = facts;
const rules = { organization: true, cloudflareGateway: true } as const;
const reasoning = /^(?:o[134]|gpt-5)/;

const passing = openAiWithResponses({ baseUrl, streamOptions: 'inject', ...rules });

export const openai = defineProvider({
  owner: 'openai',
  ...passing,
  media: { adapter: mediaOf(passing.text) },
  translate: translatingOpenAi(baseUrl),
  realtime: realtimeAt(baseUrl, rules),
  /** Reasoning models need other bodies than chat models. */
  rewritesChat: (model: string) => reasoning.test(model),
  counters: { openai: responsesCounter(passing.responses) },
  dialect: () => 'openai',
  account: {
    models: openAiModels({ baseUrl }),
    balance: billedBalance((channel) => baseOf(channel, baseUrl)),
  },
});
