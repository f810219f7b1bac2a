import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { readLocal, writeLocal } from '../../../shared/local-values.ts';

/** `?aff=` counts at registration, even when the visitor opens other pages first. */
export const useReferral = (): string => {
  const [params] = useSearchParams();
  const code = params.get('aff');
  useEffect(() => {
    if (code) writeLocal('aff', code);
  }, [code]);
  return code ?? readLocal('aff') ?? '';
};
