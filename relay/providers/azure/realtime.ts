import { realtimeWith } from '../shared/realtime.ts';
import { azureRealtimePath } from './deployment-path.ts';

export const azureRealtime = realtimeWith('', {
  path: (channel, model, { apiVersion }) => azureRealtimePath(channel, model, apiVersion),
  headers: ({ key }) => ({ 'api-key': key }),
});
