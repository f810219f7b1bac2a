import { defineProvider } from '../shared/define-provider.ts';
import { mediaOf } from '../shared/openai/media.ts';
import { azureAccount as account } from './account.ts';
import { isBehindGateway } from './deployment-path.ts';
import { azureListening } from './listening.ts';
import { azureRealtime } from './realtime.ts';
import { azureResponsesAdapter as responses } from './responses.ts';
import { azure as translate } from './translate.ts';

export const azure = defineProvider({
  owner: 'azure',
  translate,
  account,
  /** Transcripts are read while they are written; other images and audio are read whole. */
  media: {
    adapter: mediaOf(azureListening),
    takes: ({ operation, isStream }) => operation === 'transcription' && isStream,
  },
  realtime: azureRealtime,
  responses,
  takesResponses: (channel) => !isBehindGateway(channel),
  dialect: () => 'openai',
});
