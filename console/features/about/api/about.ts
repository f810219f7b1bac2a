import { useQuery } from '@tanstack/react-query';
import { getJson } from '../../../shared/api/client.ts';

/** GET /api/about: what the operator wrote, "" when nothing. */
export const useAbout = () =>
  useQuery({
    queryKey: ['site', 'about'],
    queryFn: () => getJson<string>('/api/about'),
    meta: { isQuiet: true },
  });
