import { defineProvider } from '../shared/define-provider.ts';
import { bedrockAccount as account } from './account.ts';
import { bedrockEnvelope } from './native.ts';
import { bedrock as translate } from './translate.ts';

export const bedrock = defineProvider({
  owner: 'aws',
  translate,
  account,
  enveloped: bedrockEnvelope,
  dialect: (model) => (model.includes('claude') ? 'claude' : 'converse'),
  needsOwnBody: true,
});
