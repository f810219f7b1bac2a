import { createContext, type ReactNode, useContext, useEffect, useId, useState } from 'react';
import { useBlocker } from 'react-router-dom';
import { useUnloadQuestion } from '../hooks/use-unsaved.ts';
import { DiscardQuestion } from './discard-question.tsx';

type Report = (form: string, changes: number) => void;
const UnsavedContext = createContext<Report>(() => undefined);

/** Reports to the guard around a form how many of its fields were edited and not saved. */
export const useUnsavedChanges = (changes: number): void => {
  const form = useId();
  const report = useContext(UnsavedContext);
  useEffect(() => {
    report(form, changes);
    return () => report(form, 0);
  }, [form, changes, report]);
};

/** Confirms before a move to another address would lose edits of the forms inside. */
export const UnsavedGuard = ({ children }: Readonly<{ children: ReactNode }>) => {
  const [changes, setChanges] = useState<ReadonlyMap<string, number>>(new Map());
  const [report] = useState<Report>(() => (form: string, count: number) => {
    setChanges((before) => {
      if ((before.get(form) ?? 0) === count) return before;
      return new Map([...before, [form, count]]);
    });
  });
  const isEdited = [...changes.values()].some((count) => count > 0);
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      isEdited && from.pathname + from.search !== to.pathname + to.search,
  );
  useUnloadQuestion(isEdited);
  return (
    <UnsavedContext value={report}>
      {children}
      <DiscardQuestion
        isOpen={blocker.state === 'blocked'}
        onKeep={() => blocker.reset?.()}
        onDiscard={() => blocker.proceed?.()}
      />
    </UnsavedContext>
  );
};
