import { useQuery } from '@tanstack/react-query';
import { call } from '../../../shared/api/client.ts';

/** What the operator wrote, "" when nothing. */
export const useAbout = () =>
  useQuery({
    queryKey: ['site', 'about'],
    queryFn: () => call('GET /api/about'),
    meta: { isQuiet: true },
  });
