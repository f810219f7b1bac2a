import { gemini as facts } from '../../../domain/channel/providers/gemini.ts';
import { realtimeWith } from '../shared/realtime.ts';

/** Spoken sessions in Google's own API: the model stands in the first message. */
export const liveSessions = realtimeWith(facts.baseUrl, {
  path: (_channel, _model, { apiVersion }) =>
    `/ws/google.ai.generativelanguage.${apiVersion}.GenerativeService.BidiGenerateContent`,
  headers: ({ key }) => ({ 'x-goog-api-key': key }),
});
