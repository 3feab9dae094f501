import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface Props {
  readonly title: string;
  readonly class?: string;
  readonly children: ComponentChildren;
  close(): void;
}

/** Something in front of everything else. The browser keeps the focus inside, and gives it back. */
export function Dialog({ title, class: more = '', children, close }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  // Before the next key is pressed: it is meant for what is shown now.
  useLayoutEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={more}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) close();
      }}
    >
      {children}
    </dialog>
  );
}
