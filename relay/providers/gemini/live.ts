import { gemini as facts } from '../../../domain/channel/providers/gemini.ts';
import { realtimeWith } from '../shared/realtime.ts';

/** Realtime sessions in Google's own API: the first message contains the model. */
export const liveSessions = realtimeWith(facts.baseUrl, {
  path: (_channel, _model, { apiVersion }) =>
    `/ws/google.ai.generativelanguage.${apiVersion}.GenerativeService.BidiGenerateContent`,
  headers: ({ key }) => ({ 'x-goog-api-key': key }),
});
