import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../../shared/paths.ts';
import { toast } from '../../../shared/toast.ts';
import { useUsableKey } from '../api/keys.ts';

/** Time to read why the page changes. */
const leaveAfterMs = 1500;

/** A key to chat with; without one a message leads the user to where keys are made. */
export const useKeyOrLeave = () => {
  const { t } = useTranslation('chat');
  const navigate = useNavigate();
  const key = useUsableKey();
  const hasNone = key.data === null;
  useEffect(() => {
    if (!hasNone) return;
    toast('error', t('no-key'));
    const wait = setTimeout(() => void navigate(paths.token), leaveAfterMs);
    return () => clearTimeout(wait);
  }, [hasNone, navigate, t]);
  return key;
};
