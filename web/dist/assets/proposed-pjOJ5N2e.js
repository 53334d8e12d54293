<<<<<<< HEAD:web/dist/assets/proposed-tp9ZaTTW.js
<<<<<<<< HEAD:web/dist/assets/proposed-BrjgnifD.js
import{At as e}from"./shared-BIdLc3MO.js";import{n as t}from"./operator-C5x0gTtS.js";var n=e=>`/proposals/${e}`;function r(r,i){let a=`proposalId`in r?r.proposalId:void 0;return typeof a==`string`&&(e.show(`plain`,`Proposed: ${i}`,`Nothing has happened yet: an approver finalises it, another person where two are required.`,{address:n(a),label:`Open the proposal`}),t.refresh(),!0)}export{r as n,n as t};
========
import{dt as e}from"./shared-BnZnu5wq.js";import{n as t}from"./operator-DuH9tYUK.js";var n=e=>`/proposals/${e}`;function r(r,i){let a=`proposalId`in r?r.proposalId:void 0;return typeof a==`string`&&(e.show(`plain`,`Proposed: ${i}`,`Nothing has happened yet: an approver finalises it, another person where two are required.`,{address:n(a),label:`Open the proposal`}),t.refresh(),!0)}export{r as n,n as t};
>>>>>>>> walks:web/dist/assets/proposed-tp9ZaTTW.js
=======
import{ft as e}from"./shared-CSdsOQk3.js";import{n as t}from"./operator-D2YQZoJ4.js";var n=e=>`/proposals/${e}`;function r(r,i){let a=`proposalId`in r?r.proposalId:void 0;return typeof a==`string`&&(e.show(`plain`,`Proposed: ${i}`,`Nothing has happened yet: an approver finalises it, another person where two are required.`,{address:n(a),label:`Open the proposal`}),t.refresh(),!0)}export{r as n,n as t};
>>>>>>> walks:web/dist/assets/proposed-pjOJ5N2e.js
