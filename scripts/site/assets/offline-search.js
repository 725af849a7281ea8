// The theme searches in a worker and fetches its index, and browsers allow neither from file://. There, the index is a
// script and the worker an iframe; the theme's worker looks for a global IFrameWorker and copes with it.
if (location.protocol === "file:") {
  const site = document.currentScript.src.replace(/assets\/offline-search\.js$/, "");

  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inner = frame.contentWindow;
      window.addEventListener("message", (event) => {
        if (event.source !== this.inner) return;
        event.stopImmediatePropagation();
        const copy = new MessageEvent("message", { data: event.data });
        this.dispatchEvent(copy);
        if (this.onmessage) this.onmessage(copy);
      });
      const inside = this.inner.document;
      inside.open();
      inside.write("<!doctype html><body></body>");
      inside.close();
      this.inner.postMessage = (data) => window.dispatchEvent(new MessageEvent("message", { data, source: this.inner }));
      const script = inside.createElement("script");
      script.src = url;
      script.onload = () => {
        const messages = this.waiting;
        this.waiting = null;
        messages.forEach((data) => this.postMessage(data));
      };
      inside.body.append(script);
    }
    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.inner.dispatchEvent(new this.inner.MessageEvent("message", { data }));
    }
    terminate() {}
  };
  window.Worker = window.IFrameWorker;

  var __search = {
    index: new Promise((resolve) => {
      window.__searchIndex = resolve; // called by the script
      addEventListener("DOMContentLoaded", () => {
        const script = document.createElement("script");
        script.src = site + "search/search_index.js";
        document.body.append(script);
      });
    }),
  };
}
