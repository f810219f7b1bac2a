import { useEffect, useState } from 'react';

/** Whether a draft differs from what it was when the form was opened. */
export const useIsEdited = (draft: unknown): boolean => {
  const text = JSON.stringify(draft);
  const [initial] = useState(text);
  return text !== initial;
};

/** The browser asks before a page with edits is closed or reloaded. */
export const useUnloadQuestion = (isEdited: boolean): void => {
  useEffect(() => {
    if (!isEdited) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isEdited]);
};
