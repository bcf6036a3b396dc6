"""FIT entries are kept in thousandths and compared to the last bit with a cold start: any reordering of floats here
changes them.
"""
