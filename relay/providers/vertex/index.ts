import { defineProvider } from '../shared/define-provider.ts';
import { vertexEnvelope } from './native.ts';
import { vertex as translate } from './translate.ts';

export const vertex = defineProvider({
  owner: 'vertex-ai',
  translate,
  enveloped: vertexEnvelope,
  dialect: (model) => (model.includes('claude') ? 'claude' : 'gemini'),
});
