import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type {
  DeadLetter,
  DeadLetterPage,
  DeadLetterRecord,
} from '../../../../projections/contract/dead-letter.ts';
import { getJson } from '../../../shared/api/client.ts';

export type { DeadLetter };

export const useDeadLetters = (page: number, pageSize: number) =>
  useQuery({
    queryKey: ['dead-letters', 'list', { page, pageSize }],
    queryFn: () => getJson<DeadLetterPage>('/api/dead_letter/', { p: page, page_size: pageSize }),
    placeholderData: keepPreviousData,
  });

export const useDeadLetterRecord = (id: number) =>
  useQuery({
    queryKey: ['dead-letters', 'record', { id }],
    queryFn: () => getJson<DeadLetterRecord>(`/api/dead_letter/${id}`),
    staleTime: Number.POSITIVE_INFINITY,
  });
