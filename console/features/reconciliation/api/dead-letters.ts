import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { DeadLetter } from '../../../../projections/contract/dead-letter.ts';
import { call } from '../../../shared/api/client.ts';

export type { DeadLetter };

export const useDeadLetters = (page: number, pageSize: number) =>
  useQuery({
    queryKey: ['dead-letters', 'list', { page, pageSize }],
    queryFn: () => call('GET /api/dead_letter/', { query: { p: page, page_size: pageSize } }),
    placeholderData: keepPreviousData,
  });

export const useDeadLetterRecord = (id: number) =>
  useQuery({
    queryKey: ['dead-letters', 'record', { id }],
    queryFn: () => call('GET /api/dead_letter/:id', { params: { id } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
