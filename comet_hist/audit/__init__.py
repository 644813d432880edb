"""The audit: recorded against owed, from hand to hand of a session, and who settles with whom.

`audit` takes a session and its replay and gives everything known about its chips. `record_faults` gives only the names
that are wrong in lines about chips, for who wants to know whether the record is sound and not whether the money is.
"""

from comet_hist.audit.facts import Audit, Balance, HandAudit, Payment, Transfer
from comet_hist.audit.names import record_faults
from comet_hist.audit.session import audit
from comet_hist.audit.settle import fewest_transfers

__all__ = [
    "Audit",
    "Balance",
    "HandAudit",
    "Payment",
    "Transfer",
    "audit",
    "fewest_transfers",
    "record_faults",
]
