import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../../shared/api/client.ts';
import { readLocal, writeLocal } from '../../../shared/local-values.ts';

const noticeQuery = queryOptions({
  queryKey: ['site', 'notice'],
  queryFn: () => call('GET /api/notice'),
  meta: { isQuiet: true },
});

/** The last content is shown at once and replaced when the new one is there. */
const homeContentQuery = queryOptions({
  queryKey: ['site', 'home-content'],
  queryFn: async () => {
    const content = await call('GET /api/home_page_content');
    writeLocal('home_page_content', content);
    return content;
  },
  placeholderData: () => readLocal('home_page_content') ?? undefined,
  meta: { isQuiet: true },
});

export const useNotice = () => useQuery(noticeQuery);
export const useHomeContent = () => useQuery(homeContentQuery);
