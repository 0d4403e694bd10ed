// The program as a function: ask(questions) promises their answers. Only the
// newest call counts: an older one that still waits is dropped, and its promise
// is never kept. If the program ends or does not answer, it is started again,
// up to three times in a row.

const patience = 60000;
const address = new URL("worker.js", import.meta.url).href;
// A page that demands trusted types lets this one policy name the worker.
const policy = globalThis.trustedTypes?.createPolicy("worker", { createScriptURL: (text) => text });

export function program(trouble) {
  let worker, ready = false, busy = null, waiting = null, clock, failures = 0;

  const begin = () => {
    ready = false;
    worker = new Worker(policy ? policy.createScriptURL(address) : address);
    worker.onmessage = ({ data }) => {
      if (data.ended) return again(data.ended);
      if (data.ready) ready = true;
      else if (busy) take(data.answer);
      next();
    };
    worker.onerror = (event) => again(event.message || "the program cannot be loaded");
  };

  const take = (answer) => {
    failures = 0;
    clearTimeout(clock);
    busy.answers.push(answer);
    if (busy.answers.length < busy.questions.length && !waiting) return send();
    if (busy.answers.length === busy.questions.length) busy.done(busy.answers);
    busy = null;
  };

  const send = () => {
    clock = setTimeout(() => again("the program has not answered for a minute"), patience);
    worker.postMessage({ question: busy.questions[busy.answers.length] });
  };

  const next = () => {
    if (!ready || busy || !waiting) return;
    [busy, waiting] = [waiting, null];
    send();
  };

  const again = (why) => {
    worker.terminate();
    clearTimeout(clock);
    // Once, it is asked the same again: the fault need not be in the question.
    if (busy && failures === 0) waiting ??= { ...busy, answers: [] };
    busy = null;
    trouble(why);
    if (++failures < 3) begin();
  };

  begin();
  return (questions) => new Promise((done) => {
    waiting = { questions, answers: [], done };
    next();
  });
}
